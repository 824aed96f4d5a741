// `npm run release:freeze`: what is here now has been released. Migrations and internal operations are compared with it from now on.
import { writeFileSync } from 'node:fs';
import { operationsText, releasedOperationsFile } from '../../contracts/generation/released-operations.ts';
import { frozenMigrations } from './migrations.ts';

writeFileSync(new URL('./migrations.json', import.meta.url), `${JSON.stringify(frozenMigrations(), null, 2)}\n`);
writeFileSync(releasedOperationsFile, operationsText());
