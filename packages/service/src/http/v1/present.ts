import { type JourneyName, journeys } from "../../domain/journey.ts";
import type { Begun } from "../../domain/signup/begin.ts";
import type { readFormat } from "./read.ts";

type Invited = { begun: Begun; format: ReturnType<typeof readFormat>; smsBody?: string | undefined };

/**
 * A 1-Click that has just begun. Omits the URL if the person must add the code to it and the text does not contain the
 * code.
 */
export function presentBegun(journey: JourneyName, { begun, format, smsBody }: Invited) {
  const hasUrl = journeys[journey].proof !== "redirectCode" || format !== "link";
  return {
    match: true,
    ...(hasUrl ? { url: begun.pageUrl } : {}),
    ...(smsBody === undefined ? {} : { smsBody }),
    uuid: begun.uuid,
  };
}
