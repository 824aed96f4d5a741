export { mailServer } from './mail-server.ts';
export type { MailServer, MailServerAt } from './mail-server.ts';
export { installationMail, smtpSettings } from './installation.ts';
