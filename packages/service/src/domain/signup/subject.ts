import type { PersonInputs } from "../ports.ts";
import type { Subject } from "./settle.ts";
import type { OneClick } from "./store.ts";

/** Turns an existing 1-Click into a subject for the identity lookup, with the stored inputs and the new ones. */
export function subjectOf(oneClick: OneClick, further: PersonInputs = {}): Subject {
  const { facts } = oneClick;
  return {
    uuid: oneClick.uuid,
    journey: oneClick.journey,
    phone: facts.phone,
    phoneMethod: oneClick.phoneMethod,
    ...(oneClick.verificationUuid === null ? {} : { verificationUuid: oneClick.verificationUuid }),
    requestTree: oneClick.requestTree,
    inputs: { ...facts.inputs, ...given(further) },
    known: facts,
  };
}

/** Drops undefined members, which would override the stored inputs. */
export function given(inputs: PersonInputs): PersonInputs {
  const { email, deviceIp, birthDate, ssn4, fullName, address } = inputs;
  return {
    ...(email === undefined ? {} : { email }),
    ...(deviceIp === undefined ? {} : { deviceIp }),
    ...(birthDate === undefined ? {} : { birthDate }),
    ...(ssn4 === undefined ? {} : { ssn4 }),
    ...(fullName === undefined ? {} : { fullName }),
    ...(address === undefined ? {} : { address }),
  };
}
