/** Whether the brand was given the code to text it: such a proof is the brand's word. */
export const codeShownToBrand = `
alter table verification add column code_shown_to_brand boolean not null default false;
`;
