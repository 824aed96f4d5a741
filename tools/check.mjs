// All checks of the sources: what `npm test` looks at, and what it leaves to `.ci/run`.
import { allChecks, runChecks } from './checks.mjs';

const failed = await runChecks(allChecks);
process.exit(failed.length === 0 ? 0 : 1);
