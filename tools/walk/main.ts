// The way of one message's text through the single process, from POST /messages/text until it is answered, as files that
// a reader has to open: `node tools/walk/main.ts [--list] [--against <commit>]`.
import { parseArgs } from 'node:util';
import { checkedOut } from '../bench/against/version.ts';
import { here, recordSends } from './sending.ts';
import { summaryOf, type Summary } from './summary.ts';

const times = 7;
const { values } = parseArgs({ options: { against: { type: 'string' }, list: { type: 'boolean', default: false } } });

const walked: [string, Summary][] = [];
if (values.against !== undefined) {
  const checkout = checkedOut(values.against);
  try {
    walked.push([values.against, await walk(checkout.folder)]);
  } finally {
    checkout.remove();
  }
}
walked.push(['here', await walk(here)]);

for (const [name, { rooms, files, beside }] of walked) {
  const passing = files.filter((file) => !rooms.includes(file)).map((file) => `  runs: ${file}`);
  if (values.list)
    console.log(`${name}\n${[...rooms, ...passing, ...beside.map((file) => `  beside: ${file}`)].join('\n')}\n`);
}
const rows: [string, (summary: Summary) => number][] = [
  ['rooms that the text comes to', ({ rooms }) => rooms.length],
  ['files that run for it', ({ files }) => files.length],
  ['lines in those files', ({ lines }) => lines],
  ['functions', ({ functions }) => functions],
  ['calls', ({ calls }) => calls],
  ['moves between files', ({ moves }) => moves],
  ['files beside it, for those who hear of it', ({ beside }) => beside.length],
];
console.log(['until the 200'.padEnd(42), ...walked.map(([name]) => name.slice(0, 10).padStart(11))].join(''));
for (const [label, numberOf] of rows)
  console.log([label.padEnd(42), ...walked.map(([, summary]) => String(numberOf(summary)).padStart(11))].join(''));

async function walk(root: string): Promise<Summary> {
  return summaryOf(await recordSends(root, times), root);
}
