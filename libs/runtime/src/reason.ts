/** Why something failed: one line, without user and password of a URL. Of several addresses in vain: the first. */
export function reasonOf(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: readonly unknown[] };
  if (errors !== undefined && errors.length > 0 && (message ?? '') === '') return reasonOf(errors[0]);
  const text = message === undefined || message === '' ? (code ?? String(error)) : message;
  return (text.split('\n')[0] ?? '').replaceAll(/\/\/[^@\s/]*@/g, '//');
}
