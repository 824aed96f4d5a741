export { backupDatabase } from './backup-database.ts';
export { NoKey, verifyBackup } from './key-of-backup.ts';
export { restoreDatabase } from './restore-database.ts';
