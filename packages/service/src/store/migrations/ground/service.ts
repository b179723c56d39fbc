/** What the service itself needs: keys, clocks, jobs, counters, and the list of cells. */
export const serviceTables = `
-- The service's own keys, such as for keyed hashes, wrapped by the master key, which is never in the database.
create table service_key (
  purpose text not null,
  version integer not null,
  master_key_id text not null,
  wrapped bytea not null,
  created_at bigint not null,
  primary key (purpose, version)
);

-- One key per subject. Destroying it (wrapped is null) makes everything sealed with it unreadable.
create table data_key (
  uuid uuid primary key,
  environment text not null,
  master_key_id text not null,
  wrapped bytea,
  created_at bigint not null,
  destroyed_at bigint
);

-- The master keys that wrapped keys of this database, by fingerprint. A process that lacks one of them does not start.
create table master_key (
  id text primary key,
  used_at bigint not null,
  -- From then on, constraints refuse keys that it wraps.
  retired_at bigint,
  -- When it wrapped no key of this database any more.
  emptied_at bigint
);

create table environment_clock (
  environment text primary key,
  offset_ms bigint not null
);

create table job (
  id bigint generated always as identity primary key,
  environment text not null,
  name text not null,
  subject text not null,
  -- Only uuids and other ids.
  payload jsonb not null,
  -- Only a few jobs of a group run at a time, so that a slow receiver does not delay others.
  concurrency_group text,
  due_at bigint not null,
  attempts integer not null default 0,
  -- Until then, real time, the job belongs to the process that claimed it.
  leased_until bigint not null default 0,
  -- The number that the claiming process keeps locked while it runs. Null: not claimed, or by a process without one.
  claimed_by integer,
  failed_at bigint,
  unique (environment, name, subject)
) with (fillfactor = 50);
-- Separate indexes, so that a search for jobs without a group never scans a backlog of grouped jobs.
create index job_due_free on job (environment, due_at, id) where failed_at is null and concurrency_group is null;
create index job_due_grouped on job (environment, due_at, id) where failed_at is null and concurrency_group is not null;
-- Counts failed jobs without scanning the jobs that wait.
create index job_failed on job (environment) where failed_at is not null;

-- Counts uses per time window. All processes share the counters, so that limits apply across processes. The purge of
-- old windows has no index, because the planner would also choose that index for other statements.
create table use_count (
  environment text not null,
  scope text not null,
  key bytea not null,
  window_start bigint not null,
  used integer not null,
  primary key (environment, scope, key, window_start)
);

-- Counters per IP address, shared by all processes. A crash of the database empties the table, which does no harm.
create unlogged table rate_limit (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- When a process last began to sweep home. All processes sweep the same rows, so only one of them does it at a time.
create table home_sweep (
  environment text not null,
  kind text not null check (kind in ('expiry', 'hourly')),
  begun_at bigint not null,
  primary key (environment, kind)
);

-- How many rows a sweep of expired data erased on a day (UTC, real time), and its failures. A day without either has no
-- row.
create table sweep_result (
  environment text not null,
  sweep text not null,
  day bigint not null,
  erased integer not null,
  erased_at bigint,
  failures integer not null,
  failed_at bigint,
  primary key (environment, sweep, day)
);

-- All cells except cell 0. The address contains a password, so it is sealed. A cell stores new people of its slots from
-- opens_at on, real time. By then, every process knows the cell.
create table cell (
  number integer primary key check (number between 1 and 4095),
  data_key_uuid uuid not null references data_key,
  sealed bytea not null,
  slot_from integer not null check (slot_from >= 0),
  slot_to integer not null check (slot_to <= 4096 and slot_to > slot_from),
  opens_at bigint not null
);

-- In a cell: the first database that the cell belongs to. A copy of that database must not use the cell.
create table cell_home (
  only_row boolean primary key default true check (only_row),
  home text not null
);
`;
