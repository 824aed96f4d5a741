const signals = ['SIGINT', 'SIGTERM'] as const;
const atOnce = (): never => process.exit(0);

/**
 * Installs the handlers of signals before anything else is loaded, which takes a second or more: nothing has begun that would have
 * to be stopped, so a signal ends it at once, with the code 0. As process 1 of a container it would not hear the
 * signal otherwise: there the system's own answer to it does not exist. `endInOrder` takes over.
 */
export function begin(): void {
  outliveReaders();
  for (const signal of signals) process.on(signal, atOnce);
  if (process.channel !== undefined) process.on('disconnect', atOnce);
}

/** From now on somebody else answers signals. */
export function begun(): void {
  for (const event of [...signals, 'disconnect']) process.off(event, atOnce);
}

const ignored = (): void => undefined;

/**
 * Lets the process go on when whoever reads its output is gone, as in `npm start | head -1`, or when Ctrl-C ends `tee`
 * first: what is said then is lost, and the process still stops in order when it is told to.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.off('error', ignored).on('error', ignored);
}
