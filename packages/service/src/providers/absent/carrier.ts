import type { Carrier } from "../../domain/ports.ts";
import { asDeviceAddress } from "../camara/device-address.ts";

/** Where no carrier is asked: no device is eligible, so nothing begins. */
export function noCarrier(): Carrier {
  return {
    deviceIpOf: asDeviceAddress,
    mobileDeviceOf: () => null,
    eligible: async () => false,
    begin: async () => {
      throw new Error("no carrier is configured");
    },
    finish: async () => ({ kind: "failed" }),
  };
}
