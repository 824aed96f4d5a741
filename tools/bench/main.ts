// `npm run bench`: how fast the gateway sends. `npm run bench -- --against <commit>`: by how much faster than that version.
// `npm run bench -- --growth`: what it costs to have much stored. `npm run bench -- --campaigns`: how fast broadcasts go.
// `npm run bench -- --automation`: what it costs to be answered by itself.
// `npm run bench -- --knowledge`: what it costs to look something up.
// `npm run bench -- --insights`: what statistics cost, and how fast they answer.
// `npm run bench -- --admin`: how the pages scroll, import and load in a browser.
if (process.argv.includes('--growth')) await import('./growth/main.ts');
else if (process.argv.includes('--campaigns')) await import('./campaigns/main.ts');
else if (process.argv.includes('--automation')) await import('./automation/main.ts');
else if (process.argv.includes('--insights')) await import('./insights/main.ts');
else if (process.argv.includes('--knowledge')) await import('./knowledge/main.ts');
else if (process.argv.includes('--admin')) await import('./admin/main.ts');
else if (process.argv.includes('--against')) await import('./against/main.ts');
else await import('./throughput.ts');
