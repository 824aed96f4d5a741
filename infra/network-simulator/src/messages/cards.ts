import type { ContactCard } from './kinds.ts';

/** A contact card as it is sent: vCard 3.0 (RFC 2426), the number with the network's own parameter. */
export function cardText({ name, phone, email }: ContactCard): string {
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${escaped(name)}`,
    `TEL;type=CELL;type=VOICE;waid=${phone}:+${phone}`,
    ...(email === undefined ? [] : [`EMAIL:${escaped(email)}`]),
    'END:VCARD',
  ];
  return lines.join('\n');
}

export function cardFrom(vcard: string, displayName: string): ContactCard {
  const lines = vcard.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const [telephone, email] = ['TEL', 'EMAIL'].map((name) => valueOf(lines, name));
  const name = valueOf(lines, 'FN') ?? displayName;
  return { name, phone: (telephone ?? '').replace(/\D/g, ''), ...(email !== undefined && { email }) };
}

/** Properties may be grouped (`item1.TEL`) and have parameters. */
function valueOf(lines: string[], name: string): string | undefined {
  const line = lines.find((one) => new RegExp(`^(\\w+\\.)?${name}[;:]`, 'i').test(one));
  return line
    ?.slice(line.indexOf(':') + 1)
    .replace(/\\([\\,;n])/gi, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign));
}

function escaped(value: string): string {
  return value.replace(/[\\,;]/g, '\\$&').replace(/\n/g, '\\n');
}
