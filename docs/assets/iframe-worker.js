// SPDX-License-Identifier: MIT
// Browsers start no worker from a file. There the site's search runs in a hidden frame, and this
// class has the part of a worker's interface that the search uses.
if (location.protocol === "file:") {
    window.Worker = class extends EventTarget {
        constructor(url) {
            super();
            const frame = document.createElement("iframe");
            frame.hidden = true;
            document.documentElement.append(frame);
            this.inside = frame.contentWindow;
            this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
            const script = frame.contentDocument.createElement("script");
            script.src = url;
            this.ready = new Promise((resolve) => script.addEventListener("load", resolve));
            frame.contentDocument.head.append(script);
        }

        async postMessage(data) {
            await this.ready;
            this.inside.dispatchEvent(new MessageEvent("message", { data }));
        }
    };
}
