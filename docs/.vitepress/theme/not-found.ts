import { withBase } from "vitepress";
import { defineComponent, h } from "vue";

/** Where a reader can go who has not found a page. */
export const places = [
  { path: "/start/", name: "Get started", about: "an identity in five minutes" },
  { path: "/guides/signup-sdk", name: "Guides", about: "one page per flow" },
  { path: "/reference/api", name: "API reference", about: "every call, with a try-it" },
  { path: "/reference/test-people", name: "Test people", about: "phones for the sandbox" },
  { path: "/reference/errors", name: "Errors", about: "each code with its fix" },
];

/** The page for an address that the site does not have. */
export const NotFound = defineComponent({
  setup: () => () =>
    h("div", { class: "not-found" }, [
      h("p", { class: "code" }, "404"),
      h("h1", "This page does not exist"),
      h("p", "The address may have a typo, or the page has moved. Search with the field above, or go on here:"),
      h(
        "ul",
        places.map(({ path, name, about }) => h("li", [h("a", { href: withBase(path) }, name), ` ${about}`])),
      ),
    ]),
});
