import { type Role, roles } from '@/lib/base/rights';

/** What each role adds to the one before it. */
const roleWords: Readonly<Record<Role, string>> = {
  viewer: 'looks',
  runner: 'also starts runs',
  editor: 'also changes files',
  reviewer: 'also reviews',
  admin: 'also manages',
};

/** The roles as the options of a select. */
export const roleOptions = roles.map((role) => ({ value: role, label: role, hint: roleWords[role] }));
