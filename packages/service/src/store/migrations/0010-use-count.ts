/** Counts uses per time window. All processes share the counters, so that limits apply across processes. */
export const useCount = `
create table use_count (
  environment text not null,
  scope text not null,
  key bytea not null,
  window_start bigint not null,
  used integer not null,
  primary key (environment, scope, key, window_start)
);
create index use_count_window on use_count (environment, window_start);
`;
