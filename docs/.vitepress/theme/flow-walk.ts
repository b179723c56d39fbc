/** A sequence diagram whose steps a reader can walk. Without scripts and in print, all steps stand below it. */
import { computed, defineComponent, h, ref } from "vue";
import type { Sequence, Step } from "../sequence.ts";

export const FlowWalk = defineComponent({
  props: { sequence: { type: String, required: true } },
  setup(props) {
    const sequence = computed<Sequence>(() => JSON.parse(props.sequence));
    const at = ref(0);
    const last = () => sequence.value.steps.length - 1;
    const goTo = (next: number) => {
      at.value = Math.min(Math.max(next, 0), last());
    };
    const onKeydown = (event: KeyboardEvent) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      // In a block of code, the arrow keys scroll.
      if (by === undefined || event.target instanceof HTMLPreElement) return;
      event.preventDefault();
      goTo(at.value + by);
    };
    return () => {
      const { actors, steps } = sequence.value;
      const between = ({ from, to }: Step) => `${actors[from]} to ${actors[to]}`;
      const middle = (actor: number) => `${((actor + 0.5) / actors.length) * 100}%`;
      return h("figure", { class: "walk", role: "group", "aria-label": "The steps of the flow", onKeydown }, [
        h("div", { class: "picture" }, [
          h(
            "div",
            { class: "actors" },
            actors.map((name) => h("span", name)),
          ),
          h("div", { class: "rows" }, [
            ...actors.map((_name, actor) => h("i", { class: "life", style: { left: middle(actor) } })),
            h(
              "ol",
              steps.map((step, place) =>
                h("li", { class: rowClass(step, actors.length, place === at.value), onClick: () => goTo(place) }, [
                  h("span", { class: "unseen" }, `${between(step)}: `),
                  h("span", { class: "label", style: labelStyle(step, actors.length) }, [
                    h("span", [h("b", `${place + 1} `), step.text]),
                  ]),
                  h("i", { class: "arrow", style: arrowStyle(step, actors.length) }),
                ]),
              ),
            ),
          ]),
        ]),
        h("div", { class: "side" }, [
          h("div", { class: "controls" }, [
            h("button", { type: "button", disabled: at.value === 0, onClick: () => goTo(at.value - 1) }, "Back"),
            h("span", `Step ${at.value + 1} of ${steps.length}`),
            h(
              "button",
              { type: "button", class: "next", disabled: at.value === last(), onClick: () => goTo(at.value + 1) },
              "Next",
            ),
          ]),
          h(
            "ol",
            { class: "details", "aria-live": "polite" },
            steps.map((step, place) =>
              h("li", { class: place === at.value ? "now" : "" }, [
                h("p", [h("strong", `${place + 1}. ${between(step)}`)]),
                h("p", step.text),
                step.details === "" ? null : h("pre", { class: "sends", tabindex: 0 }, step.details),
              ]),
            ),
          ),
        ]),
      ]);
    };
  },
});

const low = ({ from, to }: Step) => Math.min(from, to);
const high = ({ from, to }: Step) => Math.max(from, to);
/** Whether a label ends at its arrow's right end, because it has more room there. */
const isRight = (step: Step, count: number) => low(step) + 0.5 >= count / 2 && step.from !== step.to;

function rowClass(step: Step, count: number, isNow: boolean) {
  const { from, to, isAnswer } = step;
  return {
    now: isNow,
    reply: isAnswer,
    left: to < from,
    own: from === to,
    right: isRight(step, count),
  };
}

function labelStyle(step: Step, count: number) {
  const place = (actor: number) => ((actor + 0.5) / count) * 100;
  return isRight(step, count)
    ? { paddingRight: `calc(${100 - place(high(step))}% + 0.5rem)` }
    : { paddingLeft: `calc(${place(low(step))}% + 0.5rem)` };
}

function arrowStyle(step: Step, count: number) {
  const { from, to } = step;
  return {
    left: `calc(${((low(step) + 0.5) / count) * 100}% + 3px)`,
    width: from === to ? "1.5rem" : `calc(${(Math.abs(to - from) / count) * 100}% - 6px)`,
  };
}
