// `npm run release:freeze`: what is here now has been released. Migrations and what journals hold are compared with it from now on.
import { writeFileSync } from 'node:fs';
import { frozenMigrations } from './migrations.ts';

writeFileSync(new URL('./migrations.json', import.meta.url), `${JSON.stringify(frozenMigrations(), null, 2)}\n`);
