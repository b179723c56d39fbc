/** When a process last began to sweep home. All processes sweep the same rows, so only one of them does it at a time. */
export const homeSweep = `
create table home_sweep (
  environment text not null,
  kind text not null check (kind in ('expiry', 'hourly')),
  begun_at bigint not null,
  primary key (environment, kind)
);
`;
