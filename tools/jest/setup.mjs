import { configureGlobal } from 'fast-check';

// On CI property tests try the same inputs in each run, so that a change is judged by itself; elsewhere new ones each time.
if (process.env.CI === 'true') configureGlobal({ seed: 1 });
