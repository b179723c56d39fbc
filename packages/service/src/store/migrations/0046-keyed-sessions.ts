import type { Indexes } from "../build-indexes.ts";

/**
 * A session may be in another database than its person, so it has its own key, and the person's uuid for deletions. The
 * previous version sealed sessions that began with a phone under the person's key. Those rows live for two hours at
 * most, and deleting them must not delete that key.
 */
export const keyedSessions = `
alter table session add column person_uuid uuid;
alter table session add column has_own_key boolean not null default false;
update session set person_uuid = person.uuid from person where person.data_key_uuid = session.data_key_uuid;
update session set has_own_key = true where person_uuid is null;
`;

export const sessionPersonIndex: Indexes = {
  session_person: "session (person_uuid) where person_uuid is not null",
};
