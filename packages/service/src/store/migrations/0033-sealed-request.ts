/** The request tree of a 1-Click is sealed with its facts. Rows of earlier versions keep theirs until they are erased. */
export const sealedRequest = `
alter table one_click alter column request_tree drop not null;
`;
