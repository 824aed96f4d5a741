import { normalizePhone, parseRecipient } from '@messaging-gateway/contracts';
import { invalidField } from './faults.ts';

/** @throws Refused VALIDATION_ERROR naming the field */
export function jidOf(recipient: string, path: string): string {
  const parsed = parseRecipient(recipient);
  if (parsed === undefined) throw invalidField(path, 'is no phone number and no JID');
  return parsed.jid;
}

/** @throws Refused VALIDATION_ERROR naming the field */
export function digitsOf(phone: string, path: string): string {
  const digits = normalizePhone(phone);
  if (digits === undefined) throw invalidField(path, 'is no phone number');
  return digits;
}
