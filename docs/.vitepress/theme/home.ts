/** Parts of the first page: the command that starts the service, and a picture of what it shows. */
import { withBase } from "vitepress";
import { defineComponent, h, ref } from "vue";

const command = "npm start";
const copiedMs = 2_000;

export const HomeStart = defineComponent({
  setup() {
    const isCopied = ref(false);
    const copy = async () => {
      await navigator.clipboard.writeText(command);
      isCopied.value = true;
      setTimeout(() => (isCopied.value = false), copiedMs);
    };
    return () =>
      h("div", { class: "home-start" }, [
        h("div", { class: "command" }, [
          h("code", command),
          h(
            "button",
            { type: "button", "aria-live": "polite", onClick: () => void copy() },
            isCopied.value ? "Copied" : "Copy",
          ),
        ]),
        h("small", [
          "In a copy of the repository, whose address your operator or the release page has. It runs the whole service, with test people. Or start ",
          h("a", { href: withBase("/operate/install#the-package") }, "the package"),
          ".",
        ]),
      ]);
  },
});

export const HomeStage = () =>
  h("a", { class: "home-stage", href: "http://localhost:4001/demo", target: "_blank", rel: "noreferrer" }, [
    ...["light", "dark"].map((scheme) =>
      h("img", {
        class: scheme,
        src: withBase(`/pictures/stage-${scheme}.webp`),
        width: 1280,
        height: 800,
        alt: "The stage: a phone with the wallet, the calls that a signup causes, and the log of the brand's server",
      }),
    ),
    h("span", "See a signup happen: open the stage of your sandbox"),
  ]);
