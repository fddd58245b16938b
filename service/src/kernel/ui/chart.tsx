import type { ComponentChildren } from 'preact';

import { count } from './numbers.ts';

/** Height of the drawing, pixels. Widths are shares of the page's, so that text keeps its size on a phone. */
const HEIGHT = 176;
/** Above it, for the label of the place that is looked at. */
const HEAD = 24;

interface ChartFrame {
  /** A description of the chart in a sentence, for screen readers. */
  label: string;
  /** Labels below, by place from 0 on. */
  ticks: readonly { place: number; text: string }[];
  /** Places from left to right. */
  places: number;
  /** A line across with its number. */
  limit?: number | undefined;
}

/** A value, and its text in the label of its place. */
interface Labeled {
  value: number;
  title: string;
}

/** One bar a place. */
export function BarChart(props: ChartFrame & { bars: readonly Labeled[] }) {
  const { bars, places } = props;
  const marks = axisMarks(Math.max(0, ...bars.map(({ value }) => value)));
  const most = marks.at(-1) ?? 1;
  const width = 100 / places;
  return (
    <Frame {...props} marks={marks}>
      {bars.map(({ value, title }, place) => {
        const height = (value / most) * HEIGHT;
        return (
          <Place key={title} title={title} place={place} places={places}>
            {value === 0 ? null : (
              <rect
                class="bar"
                x={percent(place * width + width * 0.12)}
                width={percent(width * 0.76)}
                y={HEIGHT - height}
                height={height}
              />
            )}
          </Place>
        );
      })}
    </Frame>
  );
}

/** A line through the ends of places, and where it is heading, dotted: to the limit and not beyond. */
export function LineChart(props: ChartFrame & { points: readonly Labeled[]; forecast: number | undefined }) {
  const { points, forecast, places, limit } = props;
  const values = points.map(({ value }) => value);
  const last = values.at(-1) ?? 0;
  const heading =
    forecast === undefined || values.length >= places
      ? undefined
      : headingOf({ values, places, limit }, last, forecast);
  const marks = axisMarks(Math.max(last, heading?.value ?? 0, limit ?? 0));
  const most = marks.at(-1) ?? 1;
  const xOf = (place: number): string => percent((place * 100) / places);
  const yOf = (value: number): number => HEIGHT - (value / most) * HEIGHT;
  return (
    <Frame {...props} marks={marks}>
      {points.map(({ value, title }, place) => (
        <Place key={title} title={title} place={place} places={places}>
          <line class="line" x1={xOf(place)} x2={xOf(place + 1)} y1={yOf(values[place - 1] ?? 0)} y2={yOf(value)} />
          <circle class="dot" cx={xOf(place + 1)} cy={yOf(value)} r="4" />
        </Place>
      ))}
      {heading === undefined ? null : (
        <line class="forecast" x1={xOf(values.length)} x2={xOf(heading.place)} y1={yOf(last)} y2={yOf(heading.value)} />
      )}
    </Frame>
  );
}

interface PlaceProps {
  title: string;
  place: number;
  places: number;
  children: ComponentChildren;
}

/**
 * Draws one place of the axis; pointing at it anywhere from top to bottom, or going there by keyboard, shows its label.
 */
function Place({ title, place, places, children }: PlaceProps) {
  const middle = (place + 0.5) / places;
  const anchor = middle < 0.25 ? 'start' : middle > 0.75 ? 'end' : 'middle';
  return (
    <g class="place" role="img" aria-label={title}>
      <rect
        class="whole-place"
        x={percent((place * 100) / places)}
        width={percent(100 / places)}
        y="0"
        height={HEIGHT}
      />
      {children}
      <text class="label" x={percent(middle * 100)} y={6 - HEAD / 2} text-anchor={anchor} aria-hidden="true">
        {title}
      </text>
    </g>
  );
}

/** Returns the end of the forecast: the end of the month, or the limit. */
function headingOf(
  { values, places, limit }: { values: readonly number[]; places: number; limit?: number | undefined },
  last: number,
  forecast: number,
): { place: number; value: number } | undefined {
  if (limit === undefined || forecast <= limit) return { place: places, value: forecast };
  if (last >= limit) return undefined;
  const share = (limit - last) / (forecast - last);
  return { place: values.length + share * (places - values.length), value: limit };
}

function Frame(props: ChartFrame & { marks: readonly number[]; children: ComponentChildren }) {
  const { label, ticks, places, limit, marks, children } = props;
  const most = marks.at(-1) ?? 1;
  const heights = marks.toReversed();
  const yOf = (value: number): number => HEIGHT - (value / most) * HEIGHT;
  return (
    <div class="chart">
      <p class="scale" aria-hidden="true">
        {heights.map((value) => (
          <span key={value}>{count(value)}</span>
        ))}
      </p>
      <svg height={HEAD + HEIGHT + 32} role="group" aria-label={label}>
        <svg y={HEAD + 8} height={HEIGHT}>
          {heights.map((value) => (
            <line key={value} class={value === 0 ? 'axis' : 'grid'} x1="0" x2="100%" y1={yOf(value)} y2={yOf(value)} />
          ))}
          {children}
          {limit === undefined || limit > most ? null : (
            <>
              <line class="limit" x1="0" x2="100%" y1={yOf(limit)} y2={yOf(limit)} />
              <text class="limit-text" x="0" y={yOf(limit) - 6}>
                limit {count(limit)}
              </text>
            </>
          )}
        </svg>
        {ticks.map(({ place, text }) => (
          <text key={place} x={percent(((place + 0.5) * 100) / places)} y={HEAD + HEIGHT + 26} text-anchor="middle">
            {text}
          </text>
        ))}
      </svg>
    </div>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 1000}%`;
}

/** Returns the least round number (1, 2 or 5 times a power of ten) that is not below a value; at least 1. Pure. */
function roundAbove(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((round) => round >= value) ?? 10 * power;
}

/** Returns the marks of an axis from 0 on, evenly apart at round numbers; the last is just above a value. Pure. */
export function axisMarks(value: number): number[] {
  const step = roundAbove(value / 5);
  // A label is drawn above a line at the value: it needs some space.
  const steps = Math.max(1, Math.floor((value * 1.04) / step) + 1);
  return Array.from({ length: steps + 1 }, (_, place) => place * step);
}
