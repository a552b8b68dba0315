"""What both encoders are trained for: the notes that a message calls for are nearest, and none is near if it calls for none."""
import jax
import jax.numpy as jnp


def loss(cues, texts, owners, expected, used, null, scale):
    """Mean loss over the used cues.

    `owners[text, note]` is 1 if the text is the gist or a detail of the note; the nearest of a note's texts counts,
    as in recall. Every expected note competes alone with all notes that aren't expected, and with `null`, a learnt
    similarity below which nothing is meant; a cue that calls for nothing should find no note above it.
    """
    nearest = jnp.max(jnp.where(owners[None] > 0, (cues @ texts.T)[:, :, None], -1.0), 1)
    notes = jnp.where(owners.sum(0)[None] > 0, nearest * scale, -1e4)
    nothing = jnp.full((notes.shape[0], 1), null * scale)
    others = jax.nn.logsumexp(jnp.concatenate([jnp.where(expected > 0, -1e4, notes), nothing], 1), 1)
    each = jnp.logaddexp(notes, others[:, None]) - notes
    known = (each * expected).sum(1) / jnp.maximum(expected.sum(1), 1)
    unknown = jax.nn.logsumexp(jnp.concatenate([notes, nothing], 1), 1) - nothing[:, 0]
    per_cue = jnp.where(expected.sum(1) > 0, known, unknown)
    return (per_cue * used).sum() / used.sum()


def adam(weights, gradient, first, second, step, rate):
    first = {k: .9 * first[k] + .1 * gradient[k] for k in gradient}
    second = {k: .999 * second[k] + .001 * gradient[k] ** 2 for k in gradient}
    moved = {
        k: weights[k] - rate * (first[k] / (1 - .9 ** step)) / (jnp.sqrt(second[k] / (1 - .999 ** step)) + 1e-8)
        for k in gradient
    }
    return moved, first, second
