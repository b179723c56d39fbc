/**
 * The member who created each API key. For older keys, the audit log only has the last four characters, so keys of a
 * brand with the same four get no member.
 */
export const keyMakers = `
-- Null: the operator, sandbox control, or unknown.
alter table api_key add column created_by uuid;
update api_key
   set created_by = made.member_uuid
  from (select brand_uuid, environment, change ->> 'to' as last_four,
               (array_agg(member_uuid order by account_audit.id desc))[1] as member_uuid
          from account_audit, jsonb_array_elements(changes) as change
         where action in ('key.created', 'key.rolled') and change ->> 'path' = 'lastFour' and member_uuid is not null
         group by 1, 2, 3) made
 where api_key.brand_uuid = made.brand_uuid and api_key.environment = made.environment
   and api_key.last_four = made.last_four
   and not exists (select from api_key other
                    where other.brand_uuid = api_key.brand_uuid and other.environment = api_key.environment
                      and other.last_four = api_key.last_four and other.uuid <> api_key.uuid);
`;
