// `npm run release:freeze`: the commit that is checked out has been released. From now on migrations and internal operations are
// compared with it, and it is the version that runs beside this one in tests.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { operationsText, releasedOperationsFile } from '../../contracts/generation/released-operations.ts';
import { journalContents } from './journal.ts';
import { frozenMigrations } from './migrations.ts';

writeFileSync(new URL('./migrations.json', import.meta.url), `${JSON.stringify(frozenMigrations(), null, 2)}\n`);
writeFileSync(new URL('./journal.json', import.meta.url), `${JSON.stringify(journalContents(), null, 2)}\n`);
writeFileSync(releasedOperationsFile, operationsText());
const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
writeFileSync(new URL('../distributed/previous/version.json', import.meta.url), `{ "commit": "${commit}" }\n`);
writeFileSync(new URL('../../helm/last-release', import.meta.url), `${commit}\n`);
