#!/bin/sh
# Runs once in the PostgreSQL container, before its first start: the service's own role, which is not a superuser.
set -eu
if [ ! -r /run/secrets/database_password ] || [ ! -s /run/secrets/database_password ]; then
  echo "secrets/database_password is empty, or the container's user $(id -u) cannot read it" >&2
  exit 1
fi
# psql reads the password itself, because arguments appear in the list of processes.
psql --set ON_ERROR_STOP=1 --username postgres <<'SQL'
\set password `cat /run/secrets/database_password`
create role countersign login password :'password';
create database countersign owner countersign;
SQL
