import type { AdminWorld } from '../../../services/admin/end-to-end/world.ts';

/** Measures one thing about the pages. */
export type Part = (world: AdminWorld) => Promise<{ readonly figures: unknown; readonly lines: readonly string[] }>;
