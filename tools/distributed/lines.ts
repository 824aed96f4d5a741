const colours = [36, 33, 32, 35, 34, 31];

/** Writes lines with the name of who says them in front, as `outbound-2 | Ready`; coloured on a terminal. */
export function sideBySide(output: NodeJS.WriteStream): (name: string, line: string) => void {
  const known: string[] = [];
  return (name, line) => {
    if (!known.includes(name)) known.push(name);
    const label = name.padEnd(11);
    const colour = colours[known.indexOf(name) % colours.length];
    output.write(output.isTTY ? `\u001B[${colour}m${label}\u001B[0m| ${line}\n` : `${label}| ${line}\n`);
  };
}
