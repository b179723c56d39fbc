/** Whether the brand received the code in order to text it. Such a verification relies on the brand's statement. */
export const codeShownToBrand = `
alter table verification add column code_shown_to_brand boolean not null default false;
`;
