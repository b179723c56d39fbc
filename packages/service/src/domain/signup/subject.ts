import type { PersonInputs } from "../ports.ts";
import type { Subject } from "./settle.ts";
import type { OneClick } from "./store.ts";

/** A 1-Click that was begun earlier, as something to source: what was given then, and what is given now. */
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

/** Without undefined members, which would hide what was given earlier. */
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
