// The image's health check: the service says that it is ready.
const answer = await fetch(`http://127.0.0.1:${process.env.HEALTH_PORT}/ready`, {
  signal: AbortSignal.timeout(4000),
}).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
