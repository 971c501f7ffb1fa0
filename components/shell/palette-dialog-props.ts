import type { PlaceNeed } from '@/lib/client/app-places';
import type { EarlyKeys } from './early-keys';

export interface PaletteDialogProps {
  /** What the person meets of what places need. */
  readonly met: readonly PlaceNeed[];
  /** What was typed before the palette was there. */
  readonly early: EarlyKeys;
}
