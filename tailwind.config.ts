import type { Config } from 'tailwindcss';

/** Colours are CSS variables (app/globals.css), so that light and dark are the same class names. */
const token = (name: string) => `var(--${name})`;

const config: Config = {
  content: ['./app/**/*.{ts,tsx}', './components/**/*.{ts,tsx}'],
  darkMode: ['selector', '[data-theme="dark"]'],
  theme: {
    extend: {
      colors: {
        ground: token('ground'),
        surface: token('surface'),
        raised: token('raised'),
        sunken: token('sunken'),
        hover: token('hover'),
        line: { DEFAULT: token('line'), strong: token('line-strong') },
        ink: token('ink'),
        muted: token('muted'),
        faint: token('faint'),
        accent: { DEFAULT: token('accent'), soft: token('accent-soft'), ink: token('accent-ink') },
        ok: { DEFAULT: token('ok'), soft: token('ok-soft') },
        bad: { DEFAULT: token('bad'), soft: token('bad-soft') },
        warn: { DEFAULT: token('warn'), soft: token('warn-soft') },
        busy: { DEFAULT: token('busy'), soft: token('busy-soft') },
        agent: { DEFAULT: token('agent'), soft: token('agent-soft') },
        server: { DEFAULT: token('server'), soft: token('server-soft') },
        function: { DEFAULT: token('function'), soft: token('function-soft') },
        builtin: { DEFAULT: token('builtin'), soft: token('builtin-soft') },
        hook: { DEFAULT: token('hook'), soft: token('hook-soft') },
        model: { DEFAULT: token('model'), soft: token('model-soft') },
        setup: token('setup'),
        queued: { DEFAULT: token('queued'), soft: token('queued-soft') },
      },
      fontFamily: { sans: [token('font-sans')], mono: [token('font-mono')] },
      fontSize: {
        '2xs': ['11px', '16px'],
        xs: ['12px', '16px'],
        sm: ['13px', '20px'],
        base: ['14px', '20px'],
        lg: ['16px', '24px'],
        xl: ['20px', '28px'],
        '2xl': ['24px', '32px'],
      },
      borderRadius: { sm: '4px', DEFAULT: '6px', md: '6px', lg: '8px', xl: '12px' },
      boxShadow: { pop: token('shadow-pop'), card: token('shadow-card') },
    },
  },
};

export default config;
