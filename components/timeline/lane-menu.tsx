'use client';

import type { ReactNode } from 'react';
import { Menu, MenuChoices, MenuSeparator } from '@/components/ui/menu';
import { type LaneHeight, laneHeights } from '@/lib/trace/lanes';
import { type LaneSort, laneSorts } from './lane-view';

const heightChoices = ['auto', '24', '12', '2'] as const;
type HeightChoice = (typeof heightChoices)[number];

const heightWords: Readonly<Record<HeightChoice, string>> = {
  auto: 'Automatic',
  '24': 'Full (24 px)',
  '12': 'Thin (12 px)',
  '2': 'Lines (2 px)',
};

const sortWords: Readonly<Record<LaneSort, string>> = {
  order: 'Order of calls',
  duration: 'Slowest first',
  cost: 'Most expensive first',
  errors: 'Most errors first',
};

export interface LaneChoice {
  readonly height: LaneHeight | 'auto';
  readonly onHeight: (height: LaneHeight | 'auto') => void;
  readonly sort: LaneSort;
  readonly onSort: (sort: LaneSort) => void;
}

export interface LaneMenuProps extends LaneChoice {
  /** The button that opens the menu. */
  readonly trigger: ReactNode;
}

/** Chooses the order of lanes and their height. In another order than that of the calls, all but the first few are folded. */
export function LaneMenu({ trigger, height, onHeight, sort, onSort }: LaneMenuProps) {
  return (
    <Menu defaultOpen trigger={trigger}>
      <MenuChoices
        label="Order"
        value={sort}
        choices={laneSorts.map((value) => ({ value, label: sortWords[value] }))}
        onChange={onSort}
      />
      <MenuSeparator />
      <MenuChoices
        label="Height"
        value={wordOf(height)}
        choices={heightChoices.map((value) => ({ value, label: heightWords[value] }))}
        onChange={(word) => onHeight(laneHeights.find((one) => wordOf(one) === word) ?? 'auto')}
      />
    </Menu>
  );
}

function wordOf(height: LaneHeight | 'auto'): HeightChoice {
  return heightChoices.find((choice) => choice === String(height)) ?? 'auto';
}
