/** Only the daily purge looks up counters by window. The planner also chose this index for other queries. */
export const useCountIndex = `
drop index use_count_window;
`;
