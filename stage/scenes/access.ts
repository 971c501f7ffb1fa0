import type { ProjectAccess } from '@/lib/base/project-access';
import { everyProjectRight } from '@/lib/base/rights';

/** What people may do in the project of a scene: everything, or only look. */
export const mayAll: ProjectAccess = { rights: everyProjectRight, role: 'admin', ask: 'Ada', accounts: true };
export const mayView: ProjectAccess = { rights: ['read'], role: 'viewer', ask: 'Ada', accounts: true };
