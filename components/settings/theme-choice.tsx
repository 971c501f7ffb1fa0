'use client';

import { RadioGroup } from 'radix-ui';
import { useTheme } from '@/components/shell/theme';
import { themeChoices } from '@/components/shell/theme-menu';

/** Chooses the theme of this browser. */
export function ThemeChoice() {
  const { choice, choose } = useTheme();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <span className="font-medium text-ink text-sm">Theme</span>
      <RadioGroup.Root
        aria-label="Theme"
        value={choice}
        onValueChange={(value) => {
          const chosen = themeChoices.find((each) => each.value === value);
          if (chosen) choose(chosen.value);
        }}
        className="flex rounded border bg-sunken p-0.5"
      >
        {themeChoices.map((each) => (
          <RadioGroup.Item
            key={each.value}
            value={each.value}
            className="flex h-7 cursor-pointer items-center gap-1.5 rounded-sm px-2.5 text-muted text-xs hover:text-ink data-[state=checked]:bg-raised data-[state=checked]:font-medium data-[state=checked]:text-ink data-[state=checked]:shadow-card [&>svg]:size-3.5"
          >
            {each.icon}
            {each.label}
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  );
}
