#!/bin/sh
# Runs once in the PostgreSQL container, before its first start: the service's own role, which is not a superuser.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$(cat /run/secrets/database_password)" --username postgres <<'SQL'
create role countersign login password :'password';
create database countersign owner countersign;
SQL
