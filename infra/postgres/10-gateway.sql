-- The services' database and the role that owns it: no superuser, no right to make roles or databases.
-- Run once, by the image of PostgreSQL, when the volume is empty.
\getenv password DATABASE_PASSWORD
create role messaging_gateway login password :'password';
create database messaging_gateway owner messaging_gateway encoding 'UTF8';
revoke all on database messaging_gateway from public;
