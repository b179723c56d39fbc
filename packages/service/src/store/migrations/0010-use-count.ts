/** How often something was used in a window of time: shared by all processes, so that a cap holds for all of them. */
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
