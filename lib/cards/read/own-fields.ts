import type { Card, ChainCard } from '@/lib/cards/card';

/** The fields of a card type without those of every card. */
export type OwnFields<T extends Card> = Omit<T, Exclude<keyof ChainCard, 'type' | 'sequence' | 'cumulative'>>;
