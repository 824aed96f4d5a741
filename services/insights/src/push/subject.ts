import type { InsightsSettings } from '../config.ts';

const address = /[^\s<>@]+@[^\s<>@]+/;

/** Whom push services turn to: a `mailto:` or `https:` URL. */
export function subjectOf({
  vapidSubject,
  smtpFrom,
  publicUrl,
}: Pick<InsightsSettings, 'vapidSubject' | 'smtpFrom' | 'publicUrl'>): string {
  if (vapidSubject !== undefined) return vapidSubject;
  const sender = address.exec(smtpFrom ?? '')?.[0];
  if (sender !== undefined) return `mailto:${sender}`;
  if (publicUrl?.startsWith('https:') === true) return publicUrl;
  // Something has to stand there, and push services take no `http:`.
  return `mailto:operator@${publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname}`;
}
