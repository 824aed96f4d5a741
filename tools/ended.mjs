/** The exit code of a process, null after a signal, and what it printed to pipes. */
export function ended(child) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (status) => resolve({ status, output }));
  });
}
