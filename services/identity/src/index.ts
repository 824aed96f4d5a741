export { identitySettings } from './config.ts';
export type { IdentitySettings } from './config.ts';
export { makeOwner } from './organization/making-owner.ts';
export { eraseUsersAgain } from './personal-data/erasing-again.ts';
export { identity } from './service.ts';
export { resetPassword } from './user/resetting-password.ts';
