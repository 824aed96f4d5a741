// `npm run bench`: how fast the gateway sends. `npm run bench -- --growth`: what it costs to have much stored.
await(process.argv.includes('--growth') ? import('./growth/main.ts') : import('./throughput.ts'));
