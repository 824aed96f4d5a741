// `npm start [-- --simulator]`: the gateway as one process; with the flag the simulated network in it, so that no phone is needed.
if (process.argv.includes('--simulator')) {
  const { startBeside } = await import('@messaging-gateway/network-simulator');
  try {
    const dataDirectory = process.env['DATA_DIR']?.trim() || 'data';
    const { page, variables } = await startBeside({ dataDirectory, environment: process.env });
    Object.assign(process.env, variables);
    process.stdout.write(`Simulated network: phones at ${page}\n`);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}
await import('../services/standalone/src/main.ts');
