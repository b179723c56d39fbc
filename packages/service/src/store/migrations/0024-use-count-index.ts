/** Nobody looks for counters by their window, but for the purge, once a day; a plan that expects few of them took this index. */
export const useCountIndex = `
drop index use_count_window;
`;
