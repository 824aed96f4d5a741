import { parseArgs } from 'node:util';

const usage = `Usage: npm run bench [-- --against <commit> | --growth | --help]

Without an option   sends, webhook lag, start and memory of the gateway, in one process and over the brokers,
                    beside the engine's library alone
--against <commit>  sends and received messages of this version beside those of <commit>, in one process each
--growth            requests to an installation with 1,000,000 stored messages beside one with 10,000

Each prints a table and writes bench-results/<name>.json. Environment variables and figures: docs/throughput.md and docs/growth.md.`;

/** Exits with 2 if an option is unknown or lacks its value. */
function parse() {
  try {
    return parseArgs({
      options: { against: { type: 'string' }, growth: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}

const { against, growth, help } = parse();
if (help === true) console.log(usage);
else if (growth === true) await import('./growth/main.ts');
else if (against !== undefined) await import('./against/main.ts');
else await import('./throughput.ts');
