/** For the count of a brand's lookups that have no result yet. */
export const openLookups = `
create index health_lookup_open on health_lookup (brand_uuid) where state in ('pending', 'processing');
`;
